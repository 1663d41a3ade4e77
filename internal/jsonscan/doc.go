// Package jsonscan walks over JSON text where it lies: it finds values and their ends, and decodes nothing but what it
// is asked for.
//
// The grammar is that of RFC 8259, as encoding/json and jsontext have it: values nest at most 10,000 deep. Strings may
// hold bytes that are no UTF-8, and a name may come twice: whether that matters is for the caller to say. Where a text
// is not JSON the scanner says so and no more; a caller that needs a reason asks a decoder that tracks positions.
package jsonscan
