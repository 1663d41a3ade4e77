// Package kjson is the one place of the project that walks over the bytes of JSON. It is private to the project: what users of
// the library need of it is in package conversion.
//
// From the bytes up it has a [Scanner], which finds values and their ends and decodes nothing but what it is asked for;
// [Members], [Metadata], [Header] and [Object], which take an object apart and leave the bytes of its parts as they are;
// [Reader] and [Writer], on which the functions stand that are generated from types (package codec has those of the API,
// command jsongen writes them); [Decode], which reads whatever these do not; and [Canonical] and [Equal], which compare values.
//
// The grammar is that of RFC 8259, as encoding/json and jsontext have it: values nest at most 10,000 deep. Strings may
// hold bytes that are no UTF-8, and a name may come twice: whether that matters is for the caller to say. Where a text is not
// JSON the scanner says so and no more; an error comes from a decoder that tracks positions. What is built in memory of a
// value is bounded (bounds.go); what is beyond a bound is an error, never dropped.
//
// What is read into an [Arena] lives until its Reset. All that is read may share memory with the text that it was read from.
package kjson
