// Package kjson reads and writes the JSON of objects. It is private to the project: what users of
// the library need of it is in package conversion.
//
// From the bytes up it has a [Scanner], which finds values and their ends and decodes nothing but
// what it is asked for; [Members], [Metadata], [Header] and [Object], which take an object apart
// and leave the bytes of its parts as they are; [Read], [Decode] and [Append], which read and write
// values of Go types by a plan of the type; and [Canonical] and [Ordered], by which values are
// compared.
//
// The grammar is that of RFC 8259, as encoding/json has it: values nest at most 10,000 deep.
// Strings may hold bytes that are no UTF-8, and a name may come twice: whether that matters is for
// the caller to say. Where a text is not JSON the scanner stands still, and [Scanner.Err] says
// where. What is built in memory of a value is bounded (bounds.go); what is beyond a bound is an
// error, never dropped.
//
// What is read may share memory with the text that it was read from.
package kjson
