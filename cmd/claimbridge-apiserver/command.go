package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/component-base/logs"
	logsapi "k8s.io/component-base/logs/api/v1"
	_ "k8s.io/component-base/logs/json/register" // --logging-format=json
	"k8s.io/klog/v2"

	genericapiserver "k8s.io/apiserver/pkg/server"

	"github.com/claimbridge/claimbridge/internal/build"
	"github.com/claimbridge/claimbridge/internal/plainlog"
)

// Exit codes, as those of claimbridge.
const (
	exitFailed = 1 // the server could not start, or failed
	exitUsage  = 2 // the command line itself is wrong; nothing was done
)

const long = `Serve old versions of resource.k8s.io over the v1 that the cluster serves itself, as an aggregated API server.

Objects are stored in v1, by the cluster. A request in an old version becomes one in v1, in the name of its caller, and its answer is shown in
the old version; nothing is kept here. The cluster authenticates, authorizes, admits and audits, and its kube-apiserver hands on to this
server what an APIService names, one for each version: 'claimbridge manifests --aggregated' has all that is needed.

A version that the cluster serves itself is never served here: the server says so and serves the others.

On SIGTERM or SIGINT /readyz fails at once, the server goes on for --shutdown-delay-duration, finishes the requests that it has accepted, and
ends watches slowly, within --shutdown-watch-termination-grace-period.`

const example = `  # In a cluster, with a mounted certificate for claimbridge-apiserver.claimbridge-system.svc
  claimbridge-apiserver --cert-dir=/etc/claimbridge/tls --versions=v1beta1,v1beta2

  # On Kubernetes 1.34 or 1.35, for readers only
  claimbridge-apiserver --cert-dir=/etc/claimbridge/tls --act-as=nobody

  # Outside of it
  claimbridge-apiserver --kubeconfig=$HOME/.kube/config --secure-port=8443`

// usageError is a wrong flag or combination of flags, found before the work began.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errReported is for failures that are in the log already.
var errReported = errors.New("logged already")

// run runs the command line and gives the exit code.
func run(cmd *cobra.Command) int {
	err := cmd.Execute()
	if err == nil {
		return 0
	}
	if !errors.Is(err, errReported) {
		fmt.Fprintf(cmd.ErrOrStderr(), "error: %v\n", err)
	}
	if _, usage := errors.AsType[usageError](err); usage {
		return exitUsage
	}
	return exitFailed
}

func newCommand() *cobra.Command {
	o := newOptions()
	cmd := &cobra.Command{
		Use:           "claimbridge-apiserver",
		Short:         "Serve old versions of resource.k8s.io over the cluster's own v1",
		Long:          long + "\n\nExamples:\n" + example,
		Version:       build.Line(),
		SilenceUsage:  true,
		SilenceErrors: true, // run prints them
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown argument %q: there are flags only\nSee '%s --help' for usage.", args[0], cmd.CommandPath())
			}
			return nil
		},
	}
	cmd.CompletionOptions.DisableDefaultCmd = true
	cmd.SetGlobalNormalizationFunc(cliflag.WordSepNormalizeFunc)
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%w\nSee '%s --help' for usage.", err, c.CommandPath())
	})
	var sets cliflag.NamedFlagSets
	o.addFlags(&sets)
	global := sets.FlagSet("global")
	global.BoolP("help", "h", false, "help for "+cmd.Name())
	global.Bool("version", false, "print the version and what it was built with")
	for _, name := range sets.Order {
		cmd.Flags().AddFlagSet(sets.FlagSets[name])
	}
	columns, _, _ := term.GetSize(int(os.Stdout.Fd())) // 0 when it is no terminal: then nothing is wrapped
	cliflag.SetUsageAndHelpFunc(cmd, sets, columns)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if problems := o.check(); len(problems) > 0 {
			return usagef("%w\nSee '%s --help' for usage.", errors.Join(problems...), cmd.CommandPath())
		}
		return o.serve(genericapiserver.SetupSignalContext())
	}
	return cmd
}

// serve until ctx is done.
func (o *options) serve(ctx context.Context) error {
	logs.InitLogs()
	defer logs.FlushLogs()
	if err := logsapi.ValidateAndApply(o.logs, nil); err != nil {
		return usagef("%w", err)
	}
	if err := o.run(ctx); err != nil {
		plainlog.New(klog.Background()).Error(err, "Server failed")
		return fmt.Errorf("%w: %w", errReported, err)
	}
	return nil
}
