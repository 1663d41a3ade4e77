package explain

import "slices"

// Row is an error and what to do about it. Its sentences may have ${version}, ${kind}, ${field}, ${resource}, ${user}, ${class} and ${driver} of the
// text, ${installed}, which the cluster has, and ${release}, the newest.
type Row struct {
	// Name is the heading of the page.
	Name string
	// Seen are texts as people posted them.
	Seen []Seen
	// pattern of the plain text; assumed is the version that is meant where the text names none.
	pattern, assumed string
	// sure is looked for before the patterns of all rows: where it is there, nothing else printed the text.
	sure string
	// Cause, Native is the way without claimbridge, and Command the one with it, or the one that shows more. Otherwise is what to do where
	// something else printed the same.
	Cause, Native, Command, Otherwise string
}

// Seen is a text, and the public threads that have it; none is a text that the programs were seen to print.
type Seen struct {
	Text    string
	Threads []string
}

// bridgeCommand puts the bridge beside the containers of a program, flatCommand and classCommand make a file say the version whose shape it has.
const (
	bridgeCommand = "claimbridge proxy --port 8001"
	inPlace       = "claimbridge convert --to ${release} --write ."
	flatCommand   = relabel + "v1beta1" + relabelled + "${release}" + written
	classCommand  = relabel + "v1alpha2" + relabelled + "${release}" + written
	nestedCommand = relabel + "v1" + relabelled + "${version}" + written
	served        = "kubectl api-versions | grep resource.k8s.io"
)

// What gives claims another apiVersion, and converts them then. In the pattern space is the line after it too: it names the kind, and ends the version,
// whatever quotes and comments there are. FILE is replaced when all went well.
const (
	relabel    = `sed '/apiVersion/{N;/kind.*ResourceClaim/s#\(resource.k8s.io/\)${version}\([^a-z0-9]\)#\1`
	relabelled = `\2#;}' FILE > FILE.new && claimbridge convert --write FILE.new --to `
	written    = " && mv FILE.new FILE"
)

// What several rows say.
const (
	causeOfNew   = "The cluster does not serve v1: it is of 1.33 or older, or the group is switched off."
	causeOfOld   = "The cluster does not serve ${version}: since 1.34 it serves v1 alone by default, and before that what somebody switched on."
	nativeOfFile = "Upgrade the cluster to Kubernetes 1.34, or write the version that kubectl api-versions lists."
	nativeOfOld  = "Change apiVersion to resource.k8s.io/v1, and move what stands in a request into exactly. Your own API server serves ${version} with --runtime-config, until it is gone."
	ofAProgram   = "if a program logged it, " + bridgeCommand
)

// Rows stand in an order: those that need more of a text before those that need less of the same.
var Rows = slices.Concat(notServedRows, fieldRows, otherRows)
