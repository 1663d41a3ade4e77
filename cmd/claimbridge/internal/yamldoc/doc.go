// Package yamldoc reads and writes streams of Kubernetes objects as people keep them: multi-document YAML, JSON,
// concatenated JSON, lists, files and folders.
//
// It promises that what is not touched is not changed: keys keep their order, integers their digits, strings stay
// strings, and a YAML document that only passes through keeps its text. YAML is understood as kubectl understands it
// (YAML 1.1 scalars), which differs from YAML 1.2 in words like yes and on.
//
// Input is read document by document, and the items of a big JSON list one by one, so that memory
// does not grow with the input. A document that cannot be read is a [*DocumentError]; reading goes
// on after it. Documents can be found by one goroutine and parsed by others, and parts of the
// output be made by each.
package yamldoc
