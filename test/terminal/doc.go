// Package terminal draws the picture of a terminal in docs/images: the program runs in a pseudo-terminal, and its
// output becomes the text of an SVG. A test fails if the output changes.
package terminal
