package kjson

import (
	"bytes"
	"math"
	"strconv"
)

// appendNumber writes a number as the API server keeps it: an int64 by its digits, everything else as a float64.
func appendNumber(out, text []byte) []byte {
	number := View(text)
	if n, err := strconv.ParseInt(number, 10, 64); err == nil {
		return strconv.AppendInt(out, n, 10)
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil { // out of range: no API server takes it, so any text will do as long as it is the same one
		return append(out, number...)
	}
	if f == 0 { // -0.0 too: the API server writes it as -0, which it then reads as the integer 0
		return append(out, '0')
	}
	if abs := math.Abs(f); 1e-6 <= abs && abs < 1e21 { // as encoding/json, and so the API server, writes it
		return strconv.AppendFloat(out, f, 'f', -1, 64)
	}
	return strconv.AppendFloat(out, f, 'e', -1, 64)
}

// skipNumber reads a number, which must not have leading zeros. A canonical one is as an API server writes it.
func skipNumber(data []byte, i int, canonical bool) int {
	end := endOfNumber(data, i)
	if canonical && end > 0 {
		var buffer [32]byte
		if !bytes.Equal(appendNumber(buffer[:0], data[i:end]), data[i:end]) {
			return -1
		}
	}
	return end
}

func endOfNumber(data []byte, i int) int {
	if i < len(data) && data[i] == '-' {
		i++
	}
	switch {
	case i < len(data) && data[i] == '0':
		i++
	case i < len(data) && '1' <= data[i] && data[i] <= '9':
		i = digits(data, i)
	default:
		return -1
	}
	if i < len(data) && data[i] == '.' {
		from := i + 1
		if i = digits(data, from); i == from {
			return -1
		}
	}
	if i < len(data) && (data[i] == 'e' || data[i] == 'E') {
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		from := i
		if i = digits(data, from); i == from {
			return -1
		}
	}
	return i
}

func digits(data []byte, i int) int {
	for i < len(data) && '0' <= data[i] && data[i] <= '9' {
		i++
	}
	return i
}
