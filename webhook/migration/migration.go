package migration

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/api"
)

// Options of a run.
type Options struct {
	// Group of the claims.
	Group string
	// DryRun has the API server do all that it would do, webhooks included, and keep nothing.
	DryRun bool
	// Rate is how many requests a second there are at most. Each write is two calls to webhooks and up to two conversions.
	// Default: DefaultRate.
	Rate float32
	// Progress is told after each page of objects, Failed about each object that could not be written. Both may be nil.
	Progress func(Progress)
	Failed   func(Failure)
	// Settle is how long to wait before the first write. Default: DefaultSettle.
	Settle time.Duration
}

// DefaultRate is what a replica of the server answers with a tenth of a processor: a write costs it some 2 ms.
const DefaultRate = 50

// DefaultSettle is how long API servers may need to notice that another version is stored from now on. They give themselves as much
// before they establish a definition. An object that one writes meanwhile is stored in the old version.
const DefaultSettle = 5 * time.Second

// Progress of one definition.
type Progress struct {
	// Resource is the name of the definition.
	Resource string
	// Done objects, the failed ones included, and how many of them were written. Left is how many there are beyond, as far as
	// the API server says.
	Done, Written, Failed, Left int
}

// Failure of one object. It stays as it is stored.
type Failure struct {
	// Object as RESOURCE NAMESPACE/NAME.
	Object          string
	Namespace, Name string
	// Err is about this object. What is not is an [ObstacleError].
	Err error
}

// Outcome for one definition.
type Outcome struct {
	Progress
	// Stored is the version that is stored, Old are those that status.storedVersions names beside it. Without any there was nothing to do.
	Stored string
	Old    []string
	// Finished says that status.storedVersions names Stored alone now.
	Finished bool
	// Err is why it is not finished, other than that objects failed or it was a dry run; an [ObstacleError] where the cause is no object.
	Err error
}

// ErrIncomplete says that something is left to be done. Outcomes say what.
var ErrIncomplete = errors.New("not all objects are stored in the version that the definition stores")

// Run the migration of both definitions of a group, one after the other. What goes wrong with one does not keep it from the other,
// but for an [ObstacleError], which ends the run. An error that is not ErrIncomplete is about the cluster as a whole; then nothing was done.
func Run(ctx context.Context, cluster *rest.Config, o Options) (outcomes []Outcome, _ error) {
	m, err := newMigration(cluster, o)
	if err != nil {
		return nil, err
	}
	var all []*definition
	for _, plural := range []string{api.ResourceClaims, api.ResourceTemplates} {
		d, err := m.definition(ctx, plural+"."+o.Group)
		if err == nil {
			err = d.check()
		}
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	err = nil
	for _, d := range all {
		outcome := d.migrate(ctx)
		outcomes = append(outcomes, outcome)
		if outcome.Err != nil || outcome.Failed > 0 {
			err = ErrIncomplete
		}
		if _, stop := errors.AsType[*ObstacleError](outcome.Err); stop {
			break
		}
	}
	return outcomes, err
}

type migration struct {
	Options
	definitions dynamic.NamespaceableResourceInterface
	objects     metadata.Interface
}

func newMigration(cluster *rest.Config, o Options) (*migration, error) {
	if o.Rate <= 0 {
		o.Rate = DefaultRate
	}
	o.Settle = cmp.Or(o.Settle, DefaultSettle)
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Failed == nil {
		o.Failed = func(Failure) {}
	}
	cluster = rest.CopyConfig(cluster)
	cluster.WarningHandler = rest.NoWarnings{} // older versions are deprecated, which is no news
	cluster.QPS, cluster.Burst = o.Rate, 1
	definitions, err := dynamic.NewForConfig(cluster)
	objects, noObjects := metadata.NewForConfig(cluster)
	if err = cmp.Or(err, noObjects); err != nil {
		return nil, fmt.Errorf("make a client for the API server: %w", err)
	}
	return &migration{o, definitions.Resource(definitionsResource), objects}, nil
}

// migrate what is stored by one definition.
func (d *definition) migrate(ctx context.Context) Outcome {
	outcome := Outcome{Progress: Progress{Resource: d.Name}, Stored: newest, Old: d.old()}
	if len(outcome.Old) > 0 {
		outcome.Err = pause(ctx, d.Settle)
		if outcome.Err == nil {
			outcome.Err = (&writer{d, &outcome.Progress, 0}).all(ctx)
		}
		if outcome.Err != nil || outcome.Failed > 0 || d.DryRun {
			return outcome
		}
		outcome.Err = d.finish(ctx)
	}
	outcome.Finished = outcome.Err == nil
	return outcome
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
