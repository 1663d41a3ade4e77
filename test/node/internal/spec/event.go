package spec

// Event is what a node says once: that it is there, or why not.
type Event struct {
	Ready bool   `json:",omitempty"`
	How   string `json:",omitempty"`
}
