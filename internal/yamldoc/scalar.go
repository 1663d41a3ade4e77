package yamldoc

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// The tags of YAML scalars, in short form.
const (
	tagString    = "!!str"
	tagBool      = "!!bool"
	tagInt       = "!!int"
	tagFloat     = "!!float"
	tagNull      = "!!null"
	tagTimestamp = "!!timestamp"
	tagMerge     = "!!merge"
)

// tagOf returns the tag of a scalar as kubectl reads it. kubectl's parser follows YAML 1.1, where yes, no, on, off, y
// and n are booleans unless they are quoted; the parser here follows YAML 1.2 for these. A timestamp is a string,
// unless it has a tag.
func tagOf(n *yaml.Node) string {
	tag := n.ShortTag()
	switch {
	case tag == tagTimestamp && n.Style&yaml.TaggedStyle == 0:
		return tagString
	case tag == tagString && n.Style == 0:
		if _, isOldBool := oldBools[n.Value]; isOldBool {
			return tagBool
		}
	}
	return tag
}

// oldBools are the words that only YAML 1.1 reads as booleans.
var oldBools = map[string]bool{
	"y": true, "Y": true, "yes": true, "Yes": true, "YES": true, "on": true, "On": true, "ON": true,
	"n": false, "N": false, "no": false, "No": false, "NO": false, "off": false, "Off": false, "OFF": false,
}

// IsMergeKey reports whether a key of a mapping is a merge key (<<).
func IsMergeKey(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && tagOf(n) == tagMerge }

// ReadScalar returns the value of a YAML scalar: a string, or the JSON of another value.
func ReadScalar(n *yaml.Node) (value string, isText bool, err error) {
	if tag := tagOf(n); tag == tagString || tag == tagMerge {
		return n.Value, true, nil
	}
	raw, err := appendScalar(nil, n)
	return string(raw), false, err
}

// appendScalar appends a scalar as JSON.
func appendScalar(out []byte, n *yaml.Node) ([]byte, error) {
	switch tag := tagOf(n); tag {
	case tagString, tagMerge:
		return objectjson.AppendQuoted(out, n.Value), nil // the parser accepts only UTF-8
	case tagNull:
		return append(out, "null"...), nil
	case tagBool:
		if value, isOldBool := oldBools[n.Value]; isOldBool {
			return strconv.AppendBool(out, value), nil
		}
		value, err := strconv.ParseBool(strings.ToLower(n.Value))
		if err != nil {
			return out, errors.New("is tagged !!bool but is not one")
		}
		return strconv.AppendBool(out, value), nil
	case tagInt:
		return appendInt(out, n.Value)
	case tagFloat:
		return appendFloat(out, n.Value)
	default:
		return out, fmt.Errorf("has the tag %s, which has no JSON form", tag)
	}
}

// appendInt appends an integer of YAML 1.1 (decimal, 0x1f, 0o17, 017, 0b11, with _ between digits) in decimal digits.
func appendInt(out []byte, text string) ([]byte, error) {
	digits := strings.ReplaceAll(text, "_", "")
	if i, err := strconv.ParseInt(digits, 0, 64); err == nil {
		return strconv.AppendInt(out, i, 10), nil
	}
	if u, err := strconv.ParseUint(strings.TrimPrefix(digits, "+"), 0, 64); err == nil {
		return strconv.AppendUint(out, u, 10), nil
	}
	return out, errors.New("is tagged !!int but is not a 64-bit integer")
}

// appendFloat appends a number that is not an integer of 64 bits. Larger integers keep their digits. A number without a
// fraction is written as kubectl does, 1e3 as 1000 and 1.0 as 1, so that it is valid in integer fields.
func appendFloat(out []byte, text string) ([]byte, error) {
	plain := strings.TrimPrefix(strings.ReplaceAll(text, "_", ""), "+")
	if digits := strings.TrimPrefix(plain, "-"); digits != "" && strings.Trim(digits, "0123456789") == "" {
		if plain != digits {
			out = append(out, '-')
		}
		if digits = strings.TrimLeft(digits, "0"); digits == "" {
			digits = "0"
		}
		return append(out, digits...), nil
	}
	switch strings.ToLower(strings.TrimLeft(plain, "+-.")) {
	case "nan", "inf", "infinity": // strconv.ParseFloat accepts some of their spellings
		return out, errors.New("is not a number in JSON")
	}
	f, err := strconv.ParseFloat(plain, 64)
	switch {
	case err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53:
		return strconv.AppendFloat(out, f+0, 'f', -1, 64), nil // +0 turns a negative zero into zero
	case jsontext.Value(plain).Kind() == '0' && jsontext.Value(plain).IsValid():
		return append(out, plain...), nil
	case err != nil:
		return out, errors.New("is tagged !!float but is not one")
	}
	return jsontext.AppendFloat(out, f, 64), nil
}
