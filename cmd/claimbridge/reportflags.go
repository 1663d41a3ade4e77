package main

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
)

// reportFlags say which reports are written, and what is a failure.
type reportFlags struct {
	texts  []string
	failOn string
	specs  []findings.Spec
}

// severities that --fail-on takes, the default first.
var severities = []string{string(findings.Error), string(findings.Warning)}

func (r *reportFlags) addFlags(c *command) {
	fs := c.FlagSet("output")
	fs.StringArrayVar(&r.texts, "report", nil,
		"write findings as "+strings.Join(findings.Formats(), ", ")+", or to a file with FORMAT=FILE; repeatable")
	c.takes("report", findings.Formats()...)
	fs.StringVar(&r.failOn, "fail-on", severities[0], "lowest severity that sets exit code 1: error or warning")
	c.takes("fail-on", severities...)
}

// check the flags, before anything is done.
func (r *reportFlags) check(stdoutFree bool) error {
	if !slices.Contains(severities, r.failOn) {
		return usagef("--fail-on: unknown severity %q, must be error or warning", r.failOn)
	}
	for _, text := range r.texts {
		spec, err := findings.ParseSpec(text)
		if err != nil {
			return usagef("--report: %w", err)
		}
		r.specs = append(r.specs, spec)
	}
	err := findings.CheckSpecs(r.specs, stdoutFree)
	return when(err != nil, "--report: %w", err)
}

// checkInputs lists the files that are read, before reports come to lie among them, and refuses a
// report in the place of one, which would be replaced before it is read.
func (r *reportFlags) checkInputs(stdin io.Reader, inputs ...*input.Input) error {
	if len(r.specs) == 0 {
		return nil
	}
	var reports []os.FileInfo
	for _, spec := range r.specs {
		if info, err := os.Stat(spec.File); err == nil && info.Mode().IsRegular() {
			reports = append(reports, info)
		}
	}
	for _, in := range inputs {
		for _, f := range in.List() {
			name, read := f.Path, os.FileInfo(nil) // nil for reading it to say
			switch file, ok := stdin.(*os.File); {
			case ok && f.IsStandardInput():
				name = input.StandardInput
				read, _ = file.Stat()
			case f.Err == nil:
				read, _ = os.Stat(f.Path)
			}
			if read != nil && slices.ContainsFunc(reports, func(report os.FileInfo) bool {
				return os.SameFile(report, read)
			}) {
				return usagef("--report: %s is an input file, which the report would overwrite: use another file, or "+
					"skip the input with --exclude",
					name)
			}
		}
	}
	return nil
}

// with opens the reports, has the work done, and ends them.
func (r *reportFlags) with(
	cmd *cobra.Command, stdoutFree bool, pending findings.Pending, work func(*findings.Reports, findings.Severity) error,
) error {
	reports, err := findings.OpenReports(r.specs, stdoutFree, pending, cmd.OutOrStdout(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	return errors.Join(work(reports, findings.Severity(r.failOn)), reports.Close())
}
