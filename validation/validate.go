package validation

import (
	"context"
	"errors"
	"fmt"

	"github.com/claimbridge/claimbridge/validation/cel"
)

// Result is the result of the validation of a request, which is allowed when there are no errors.
type Result struct {
	// Errors in the order of the list of rules, at most 10,000.
	Errors []Error
	// Warnings for the client of an allowed write: at most 16, each at most 256 bytes, which is what an API server
	// passes on without cutting.
	Warnings []string
}

// ErrBusy means that too many writes wait for the compiler of CEL expressions. A later attempt may succeed. It is not
// returned for writes whose expressions are cached, or that have none.
var ErrBusy = cel.ErrBusy

// Validate validates a write. It returns an error for a request that cannot be validated: not JSON, an unknown kind or
// version, a field of the wrong type, or a missing object. If the context is done first, the error wraps the context's
// error. If too many writes wait for the compiler of CEL expressions, it is [ErrBusy]. Neither errors nor results
// contain handles or parameters.
func Validate(ctx context.Context, r Request) (Result, error) {
	if r.Operation == Delete {
		return Result{}, nil
	}
	in, err := read(r)
	if unreadable, ok := errors.AsType[*unreadableError](err); ok && canRepair(r) {
		return validateRepair(ctx, r, unreadable)
	}
	if err != nil {
		return Result{}, err
	}
	return validateInput(ctx, in)
}

// validateInput checks upstream's rules, and then claimbridge's.
func validateInput(ctx context.Context, in *input) (Result, error) {
	in.expressions = cel.NewChecker(ctx)
	errs := checkRules(rulesByRelease()[in.release], in, in.upstreamOperations())
	if err := in.expressions.Err(); err != nil {
		return Result{}, wrapContextError(ctx, err)
	}
	if len(errs) > 0 {
		return Result{Errors: errs}, nil
	}
	if err := ctx.Err(); err != nil {
		return Result{}, wrapContextError(ctx, err)
	}
	result, err := validateAsStored(in)
	if err != nil {
		return Result{}, wrapContextError(ctx, err)
	}
	return result, nil
}

// wrapContextError returns the error of a validation. If the context ended the validation, the error says so.
func wrapContextError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("validation stopped: %w", err)
	}
	return err
}

// validateAsStored checks claimbridge's rules for a write that upstream's rules accept.
func validateAsStored(in *input) (_ Result, err error) {
	in.stored, err = convertToStored(in)
	if err != nil {
		return Result{}, err
	}
	in.stored.addsConsumerToUnshareable, err = in.addsConsumerToUnshareable()
	if err != nil {
		return Result{}, err
	}
	errs := checkRulesUntilError(storageRulesByRelease()[in.release], in, operationsOf[in.operation])
	if err := in.expressions.Err(); err != nil {
		return Result{}, err
	}
	if len(errs) > 0 {
		return Result{Errors: errs}, nil
	}
	return Result{Warnings: in.warnings()}, nil
}
