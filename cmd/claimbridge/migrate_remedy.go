package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/webhook/migration"
)

// remedy says what to do about it.
func (o *migrateOptions) remedy(ctx context.Context, outcomes []migration.Outcome, err error) error {
	if met, ok := errors.AsType[*migration.ObstacleError](err); ok {
		return fmt.Errorf("%w\n%s", err, o.remedyOf(met))
	}
	if apierrors.IsNotFound(err) {
		return fmt.Errorf("%w\n%s", err, o.noDefinition())
	}
	if !errors.Is(err, migration.ErrIncomplete) {
		return err
	}
	failed := false
	for _, outcome := range outcomes {
		if met, ok := errors.AsType[*migration.ObstacleError](outcome.Err); ok {
			return fmt.Errorf("%w: %s", err, o.remedyOf(met))
		}
		failed = failed || outcome.Failed > 0
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%w: interrupted, run this again", err)
	case failed:
		return fmt.Errorf("%w: mend what is named above, or delete it, and run this again", err)
	}
	return fmt.Errorf("%w: run this again", err)
}

func (o *migrateOptions) remedyOf(met *migration.ObstacleError) string {
	switch met.Kind {
	case migration.NoRight:
		return fmt.Sprintf("you have no right to %s: docs/operations.md#stored-versions has a ClusterRole with all rights that this needs", met.Doing)
	case migration.NoUser:
		return "the API server does not know you: log in again, or name another user with --kubeconfig, --context or --user"
	case migration.NoWebhook:
		return fmt.Sprintf("a webhook does not answer the API server, and no object is to blame: '%s' finds what is wrong with it; mend that, and run this again", o.preflight)
	}
	return "the API server does not answer, or has too much to do, and no object is to blame: run this again when it does, slower with --rate or longer with --request-timeout"
}

func (o *migrateOptions) noDefinition() string {
	inTree := ""
	if o.group == config.DefaultGroup {
		inTree = " Claims of an API server that serves " + config.DefaultGroup + " itself need none, and it is not claimbridge that stores them."
	}
	return fmt.Sprintf("This cluster has no definition of claimbridge's in the group %s.%s 'kubectl get crd -o name | grep /resourceclaims' tells the group: it stands behind resourceclaims.", o.group, inTree)
}

// migrateCauses are those that were told, with the object that had each first. Thousands of objects may have the same.
type migrateCauses map[string]string

// maxCauses that are kept. Beyond, each is told in full.
const maxCauses = 1000

// of a failure, or the object that failed for the same cause.
func (c migrateCauses) of(f migration.Failure) string {
	text := f.Err.Error()
	cause := strings.NewReplacer(f.Namespace+"/"+f.Name, "", `"`+f.Name+`"`, "").Replace(text)
	if first, told := c[cause]; told {
		return "the same as " + first
	}
	if len(c) < maxCauses {
		c[cause] = f.Namespace + "/" + f.Name
	}
	return text
}
