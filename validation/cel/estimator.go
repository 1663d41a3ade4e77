package cel

import (
	"math"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/overloads"
	"k8s.io/apiserver/pkg/cel/library"
)

// estimator returns the cost estimator of a release.
func estimator(release int) checker.CostEstimator {
	of := &library.CostEstimator{SizeEstimator: sizes{deviceOf(release), release}}
	switch {
	case release >= 38:
		return boundedURLs{of}
	case release == 37:
		return of
	}
	return cheapMatches{of}
}

// cheapMatches estimates as CEL does up to Kubernetes 1.36, which has a cost for text.matches(pattern), and the default
// cost of a call for matches(text, pattern).
type cheapMatches struct{ checker.CostEstimator }

func (c cheapMatches) EstimateCallCost(function, overload string, target *checker.AstNode,
	args []checker.AstNode,
) *checker.CallEstimate {
	if overload == overloads.Matches {
		return &checker.CallEstimate{CostEstimate: checker.FixedCostEstimate(1)}
	}
	return c.CostEstimator.EstimateCallCost(function, overload, target, args)
}

// boundedURLs estimates as Kubernetes does from 1.38 on: the part of a URL is at most as long as the URL, an escaped
// path three times as long. Before, it has no known size, so that what reads it has the maximum cost.
type boundedURLs struct{ checker.CostEstimator }

func (b boundedURLs) EstimateCallCost(function, overload string, target *checker.AstNode,
	args []checker.AstNode,
) *checker.CallEstimate {
	estimate := b.CostEstimator.EstimateCallCost(function, overload, target, args)
	if estimate == nil || target == nil {
		return estimate
	}
	switch function {
	case "getScheme", "getHostname", "getHost", "getPort", "getEscapedPath", "getQuery":
		size := b.sizeOf(*target)
		if function == "getEscapedPath" {
			size = size.Multiply(checker.SizeEstimate{Min: 1, Max: 3})
		}
		estimate.ResultSize = &size
	}
	return estimate
}

// sizeOf returns the computed size of a node, the estimated one, or that of a node of unknown size.
func (b boundedURLs) sizeOf(node checker.AstNode) checker.SizeEstimate {
	if size := node.ComputedSize(); size != nil {
		return *size
	}
	if size := b.EstimateSize(node); size != nil {
		return *size
	}
	return checker.SizeEstimate{Min: 0, Max: math.MaxUint64}
}
