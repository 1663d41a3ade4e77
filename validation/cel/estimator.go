package cel

import (
	"math"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/overloads"
	"k8s.io/apiserver/pkg/cel/library"
)

// estimator returns the cost estimator of a release.
func estimator(release int) checker.CostEstimator {
	base := &library.CostEstimator{SizeEstimator: sizes{deviceOf(release), release}}
	switch {
	case release >= 38:
		return limitedURLs{base}
	case release == 37:
		return base
	}
	return legacyMatches{base}
}

// legacyMatches estimates as CEL does up to Kubernetes 1.36, which has a cost for text.matches(pattern), and the
// default cost of a call for matches(text, pattern).
type legacyMatches struct{ checker.CostEstimator }

// EstimateCallCost implements [checker.CostEstimator].
func (c legacyMatches) EstimateCallCost(
	function, overload string, target *checker.AstNode, args []checker.AstNode,
) *checker.CallEstimate {
	if overload == overloads.Matches {
		return &checker.CallEstimate{CostEstimate: checker.FixedCostEstimate(1)}
	}
	return c.CostEstimator.EstimateCallCost(function, overload, target, args)
}

// limitedURLs estimates as Kubernetes does since 1.38: a part of a URL is at most as long as the URL, and an escaped
// path three times as long. Up to 1.37 the size is unknown, so that expressions that use it have the maximum cost.
type limitedURLs struct{ checker.CostEstimator }

// EstimateCallCost implements [checker.CostEstimator].
func (b limitedURLs) EstimateCallCost(
	function, overload string, target *checker.AstNode, args []checker.AstNode,
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
func (b limitedURLs) sizeOf(node checker.AstNode) checker.SizeEstimate {
	if size := node.ComputedSize(); size != nil {
		return *size
	}
	if size := b.EstimateSize(node); size != nil {
		return *size
	}
	return checker.SizeEstimate{Min: 0, Max: math.MaxUint64}
}
