package report

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
)

// A suite says before its cases how many they are, so these wait in memory. A file that has more than maxCases gets several suites; the
// cases of one have maxCaseText bytes together, some 100,000 findings, before the next begins.
const (
	maxCases    = 10_000
	maxCaseText = 16 << 20
)

// junit is a suite a file, and a case an object.
type junit struct {
	w      *bufio.Writer
	failOn finding.Severity
	begun  bool
	suite  junitSuite
	last   finding.Place // of the last case
	size   int           // of what the cases say
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	File      string        `xml:"file,attr,omitempty"`
	Line      int           `xml:"line,attr,omitempty"`
	Failure   *junitFailure `xml:"failure,omitempty"`
	Output    *junitText    `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"` // the rule
	Text    []byte `xml:",chardata"`
}

type junitText struct {
	Text []byte `xml:",chardata"`
}

func line(text []byte, f finding.Finding) []byte { return append(append(text, f.Text...), '\n') }

func (j *junit) add(f finding.Finding) error {
	object := f.Place
	object.Line, object.Column = 0, 0 // a finding may be about a line of it
	if f.File != j.suite.Name || len(j.suite.Cases) == maxCases && object != j.last || j.size > maxCaseText {
		if err := j.flush(); err != nil {
			return err
		}
		j.suite.Name = f.File
	}
	j.size += len(f.Text)
	if len(j.suite.Cases) == 0 || object != j.last {
		j.suite.Cases = append(j.suite.Cases, junitCase{Name: caseName(f), ClassName: f.File, File: f.File, Line: f.Line})
		j.last = object
	}
	j.suite.Cases[len(j.suite.Cases)-1].take(f, f.Severity == finding.Error || j.failOn == finding.Warning)
	return nil
}

// take a finding. A case has one failure, whatever is wrong; what is none is output.
func (c *junitCase) take(f finding.Finding, fails bool) {
	switch {
	case f.Severity == finding.Pass:
	case !fails || f.Fixed:
		if c.Output == nil {
			c.Output = &junitText{}
		}
		c.Output.Text = line(c.Output.Text, f)
	case c.Failure == nil:
		c.Failure = &junitFailure{Message: about(f), Type: f.Rule}
		c.Failure.Text = line(c.Failure.Text, f)
	default:
		c.Failure.Text = line(c.Failure.Text, f)
	}
}

// caseName is like "document 2: items[3]: ResourceClaim default/a".
func caseName(f finding.Finding) string {
	var parts []string
	if f.Document > 0 {
		parts = append(parts, fmt.Sprintf("document %d", f.Document))
	}
	for _, part := range []string{f.Item, objectName(f)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return f.Rule
	}
	return strings.Join(parts, ": ")
}

func (j *junit) flush() error {
	if !j.begun {
		j.begun = true
		if _, err := j.w.WriteString(xml.Header + "<testsuites name=\"claimbridge\">\n"); err != nil {
			return err
		}
	}
	if j.suite.Tests = len(j.suite.Cases); j.suite.Tests == 0 {
		return nil
	}
	for _, c := range j.suite.Cases {
		if c.Failure != nil {
			j.suite.Failures++
		}
	}
	text, err := xml.MarshalIndent(j.suite, "  ", "  ")
	if err != nil {
		return err
	}
	j.suite, j.size = junitSuite{Cases: j.suite.Cases[:0]}, 0
	_, err = j.w.WriteString(string(text) + "\n")
	return err
}

func (j *junit) end() error {
	if err := j.flush(); err != nil {
		return err
	}
	_, err := j.w.WriteString("</testsuites>\n")
	return err
}
