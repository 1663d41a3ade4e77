package cel

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// patternFunctions has the functions whose constant regular expressions are compiled together with the expression:
// those of matches by each of the two checks and for the program, those of find and findAll for the program. All
// constants in their arguments count, since a constant may be converted to a string.
var patternFunctions = map[string]bool{"matches": true, "find": true, "findAll": true}

const (
	// weightOfInstruction of a regular expression, compiled three times. Go allows three million instructions.
	weightOfInstruction = 3 * 240
	// weightOfRange of characters in a class, three times. \pL, all letters, has some 660.
	weightOfRange = 3 * 40
	// weightOfPatternByte is the weight of parsing, four times, once of them to compute the weight.
	weightOfPatternByte = 4 * 150
	// weightOfProperty is that of \p and \P, which have hundreds of ranges.
	weightOfProperty = 4 * 36 << 10
	// weightOfFolding is that of looking up the other case of each character in a range. It costs time more than
	// memory.
	weightOfFolding = 8 << 20
)

// countPattern adds the weight of a constant that may be a regular expression. The type checker rejects other
// constants.
func (w *weightCounter) countPattern(constant any) {
	var text string
	switch c := constant.(type) {
	case string:
		text = c
	case []byte:
		text = string(c)
	default:
		return
	}
	w.patterns += weightOfPatternByte*int64(len(text)) + weightOfProperty*int64(strings.Count(text,
		`\p`)+strings.Count(text, `\P`))
	if foldsCase.MatchString(text) {
		w.patterns += weightOfFolding * int64(strings.Count(text, "-"))
	}
	if w.patterns > maxWeight {
		return // too heavy to be parsed
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return
	}
	instructions, ranges := sizeOf(parsed)
	w.patterns += weightOfInstruction*instructions + weightOfRange*ranges
	if instructions < 1000 {
		// Up to this size Go tries to build a one-pass program, and merges classes for it.
		w.patterns += weightOfRange / 10 * ranges * min(instructions, 100)
	}
}

// foldsCase matches a pattern that ignores case and has classes: (?i)[a-z].
var foldsCase = regexp.MustCompile(`(?s)\(\?[a-zA-Z<>-]*i.*\[`)

// sizeOf returns the number of instructions of the program for a regular expression, with repetitions expanded, and
// the number of character ranges in its classes.
func sizeOf(re *syntax.Regexp) (instructions, ranges int64) {
	instructions = 2 + int64(len(re.Rune))
	if re.Op == syntax.OpCharClass {
		instructions, ranges = 2, int64(len(re.Rune))/2
	}
	for _, sub := range re.Sub {
		i, r := sizeOf(sub)
		instructions, ranges = instructions+i, ranges+r
	}
	if re.Op == syntax.OpRepeat {
		instructions *= int64(max(re.Min+1, re.Max))
	}
	return instructions, ranges
}
