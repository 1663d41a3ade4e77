package selector

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// takesPattern has the functions whose constant regular expressions are compiled together with the
// expression around them: matches once by each of the two checks and once for the program, find and
// findAll for the program. A constant is also one that is converted to text, so all constants in
// their arguments count.
var takesPattern = map[string]bool{"matches": true, "find": true, "findAll": true}

const (
	// weightOfInstruction of a regular expression, three times, with what leads to it. Go allows three million.
	weightOfInstruction = 3 * 240
	// weightOfRange of characters in a class, three times. \pL, all letters, has some 660.
	weightOfRange = 3 * 40
	// weightOfPatternByte is what parsing takes, once more for weighing.
	weightOfPatternByte = 4 * 150
	// weightOfProperty is for \p and \P, which stand for hundreds of ranges.
	weightOfProperty = 4 * 36 << 10
	// weightOfFolding is what it takes to look up the other case of each character between two others, one after the
	// other; it is time more than memory.
	weightOfFolding = 8 << 20
)

// pattern adds the weight of a constant that may be a regular expression. One that is none is refused by the checker.
func (w *work) pattern(constant any) {
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
		return // not even to be parsed
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return
	}
	instructions, ranges := sizeOf(parsed)
	w.patterns += weightOfInstruction*instructions + weightOfRange*ranges
	if instructions < 1000 {
		// up to where Go tries whether it needs to look at each character only once, merging
		// classes
		w.patterns += weightOfRange / 10 * ranges * min(instructions, 100)
	}
}

// foldsCase finds classes in a pattern in which case does not count: (?i)[a-z].
var foldsCase = regexp.MustCompile(`(?s)\(\?[a-zA-Z<>-]*i.*\[`)

// sizeOf the program that a regular expression becomes, in instructions, with each repetition written out, and the
// ranges of characters in its classes.
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
