// Package terminal draws the picture of a terminal in docs/images: the program runs in a
// pseudo-terminal, and what it wrote there becomes text of an SVG. The picture is in step when the
// program still writes that.
package terminal
