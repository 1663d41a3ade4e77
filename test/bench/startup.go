package main

import "os"

const (
	readyNs = "ready-ns/op"
	sizeB   = "size-B"
)

// startup measures the time from exec to the first answer over TLS, and how big the programs are.
func (b *bench) startup() error {
	bodies, err := oneClaimReviews(2)
	if err != nil {
		return err
	}
	first, err := b.start(claimbridge, nil)
	if err != nil {
		return err
	}
	defer first.stop()
	answers, err := b.writeAnswers(first, bodies)
	if err != nil {
		return err
	}
	for range b.starts {
		for _, name := range servers {
			var flags []string
			if name == null {
				flags = []string{"--answers", answers}
			}
			s, err := b.start(name, nil, flags...)
			if err != nil {
				return err
			}
			s.stop()
			b.results.add("Start/server="+name, 1, values{readyNs: float64(s.ready.Nanoseconds())})
		}
	}
	for _, name := range servers {
		file, err := os.Stat(b.binaries[name])
		if err != nil {
			return err
		}
		b.results.add("Binary/server="+name, 1, values{sizeB: float64(file.Size())})
	}
	return nil
}
