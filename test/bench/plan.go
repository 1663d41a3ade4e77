package main

import "time"

// plan says how much is measured.
type plan struct {
	name string
	// rounds of the smallest calls, with the servers in turn; the table has medians.
	rounds int
	// window of one round of calls.
	window time.Duration
	cells  []cell
	// counts of claims in a review.
	counts []int
	// bigRounds of all else, which takes longer or is less spread.
	bigRounds int
	// afterBurst is how long a server is left alone before its memory is read again. Go's own collector comes by every
	// two minutes.
	afterBurst time.Duration
	// soak is how long a server is under load while its memory is watched.
	soak   time.Duration
	starts int
	// benchtime of a Go benchmark.
	benchtime string
	// dump and yaml are bytes of files to convert.
	dump, yaml int64
	// inFolder is how many files are changed in place.
	inFolder int
	// stored claims and writes in a real cluster.
	stored, writes, clusterRounds int
	// storedServed are stored where numbers of served versions are compared; 0 leaves that out.
	storedServed int
	// watches through claimbridge proxy, and how long it is left alone before its memory is read when it is idle.
	watches int
	settles time.Duration
}

// cell is one kind of call: how many callers send claims of which size over which protocol.
type cell struct {
	proto   string
	callers int
	kib     int
}

const (
	http1 = "http1"
	http2 = "http2"
)

var plans = map[string]plan{
	"full": {
		name: "full", rounds: 5, window: 400 * time.Millisecond, cells: allCells(),
		counts: []int{1, 10, 100, 1000, 5000, 20000}, bigRounds: 3, afterBurst: 125 * time.Second, soak: 20 * time.Second, starts: 11,
		benchtime: "100ms", dump: 1 << 30, yaml: 8 << 20, inFolder: 10_000, stored: 5000, writes: 500, clusterRounds: 3, storedServed: 5000,
		watches: 1000, settles: 10 * time.Second,
	},
	"quick": {
		name: "quick", rounds: 3, window: 300 * time.Millisecond,
		cells: []cell{{http1, 1, 2}, {http1, 8, 2}, {http2, 8, 2}, {http1, 8, 16}}, counts: []int{1, 100, 1000, 20000}, bigRounds: 1,
		afterBurst: 5 * time.Second, soak: 3 * time.Second, starts: 5, benchtime: "20ms", dump: 64 << 20, yaml: 1 << 20, inFolder: 10_000,
		stored: 500, writes: 100, clusterRounds: 1, watches: 200,
	},
	"smoke": {
		name: "smoke", rounds: 1, window: 20 * time.Millisecond, cells: []cell{{http1, 8, 2}}, counts: []int{1, 10}, bigRounds: 1,
		soak: 100 * time.Millisecond, starts: 1, benchtime: "1x", dump: 1 << 20, yaml: 64 << 10, inFolder: 20, stored: 20, writes: 10, clusterRounds: 1, storedServed: 20,
		watches: 10,
	},
}

func allCells() (cells []cell) {
	for _, kib := range []int{2, 16, 256} {
		for _, proto := range []string{http1, http2} {
			for _, callers := range []int{1, 8, 64} {
				cells = append(cells, cell{proto, callers, kib})
			}
		}
	}
	return cells
}
