// Package terminal draws docs/images/terminal.svg: it runs claimbridge in a pseudo-terminal, and writes the output as
// the text of an SVG. A test fails if the output changes.
package terminal
