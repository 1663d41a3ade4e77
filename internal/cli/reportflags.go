package cli

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/input"
)

// reportFlags are the flags for reports of findings, and for the severity that is a failure.
type reportFlags struct {
	reports []string // values of --report
	failOn  string
	specs   []findings.Spec // parsed reports
}

// severities are the values of --fail-on. The first one is the default.
var severities = []string{string(findings.Error), string(findings.Warning)}

func (r *reportFlags) addFlags(c *command) {
	fs := c.FlagSet("output")
	fs.StringArrayVar(&r.reports, "report", nil,
		"write findings as "+strings.Join(findings.Formats(), ", ")+", or to a file with FORMAT=FILE; repeatable")
	c.completeWith("report", findings.Formats()...)
	fs.StringVar(&r.failOn, "fail-on", severities[0], "lowest severity that sets exit code 1: error or warning")
	c.completeWith("fail-on", severities...)
}

// validate parses --report. It returns a usage error for invalid flags.
func (r *reportFlags) validate(stdoutFree bool) error {
	if !slices.Contains(severities, r.failOn) {
		return usagef("--fail-on: unknown severity %q, must be error or warning", r.failOn)
	}
	for _, report := range r.reports {
		spec, err := findings.ParseSpec(report)
		if err != nil {
			return usagef("--report: %w", err)
		}
		r.specs = append(r.specs, spec)
	}
	err := findings.CheckSpecs(r.specs, stdoutFree)
	return usageErrorIf(err != nil, "--report: %w", err)
}

// validateInputs returns a usage error if a report would overwrite an input file. It lists the input files, so that no
// report that is created later is one of them.
func (r *reportFlags) validateInputs(stdin io.Reader, inputs ...*input.Input) error {
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
			name, info := inputFileInfo(f, stdin)
			if info != nil && slices.ContainsFunc(reports, func(report os.FileInfo) bool {
				return os.SameFile(report, info)
			}) {
				return usagef("--report: %s is an input file, which the report would overwrite: use another file", name)
			}
		}
	}
	return nil
}

// inputFileInfo returns the name of an input in messages, and information about its file. The information is nil if the
// file cannot be inspected: the error is reported when the file is read.
func inputFileInfo(f input.File, stdin io.Reader) (name string, info os.FileInfo) {
	if file, isFile := stdin.(*os.File); isFile && f.IsStandardInput() {
		info, _ = file.Stat()
		return input.StandardInput, info
	}
	if f.Err == nil {
		info, _ = os.Stat(f.Path)
	}
	return f.Path, info
}

// withReports opens the reports, calls work with them, and closes them. It returns the errors of all three, but not
// errReported together with an error of Close: run prints nothing for an error that wraps errReported.
func (r *reportFlags) withReports(
	cmd *cobra.Command, stdoutFree bool, pending findings.DryRun, work func(*findings.Reports, findings.Severity) error,
) error {
	reports, err := findings.OpenReports(r.specs, stdoutFree, pending, cmd.OutOrStdout(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	workErr := work(reports, findings.Severity(r.failOn))
	closeErr := reports.Close()
	if closeErr != nil && errors.Is(workErr, errReported) {
		return closeErr
	}
	return errors.Join(workErr, closeErr)
}
