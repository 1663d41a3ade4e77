// Package yamldoc reads and writes streams of Kubernetes objects in the forms that people use: multi-document YAML,
// JSON, concatenated JSON, and lists.
//
// It changes nothing that a caller does not change: keys keep their order, integers keep their digits, strings stay
// strings, and a YAML document that is only copied keeps its text. YAML is parsed as kubectl parses it (YAML 1.1
// scalars), which differs from YAML 1.2 in words like yes and on.
//
// Input is read document by document, and the items of a large JSON list one by one, so that memory does not grow with
// the input. A document that cannot be read is a [*DocumentError]; reading continues after it. One goroutine can find
// documents while others parse them, and several goroutines can write parts of the output.
package yamldoc
