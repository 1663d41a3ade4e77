package validation

import "k8s.io/apimachinery/pkg/util/validation/field"

// deallocationRules are about requests to deallocate a claim, up to 1.31.
var deallocationRules = []Rule{
	{
		Name:         "deallocation-after-last-reservation",
		Reason:       "Deallocation can be requested only for a claim that is not reserved.",
		Source:       "Kubernetes 1.26 CT21, 1.30 CT21, 1.31 DT9",
		Since:        release1_26,
		Until:        release1_31,
		operations:   onStatus,
		isTransition: true,
		check: func(in *input) field.ErrorList {
			if in.old.isDeallocationRequested() || !in.new.isDeallocationRequested() ||
				len(in.new.status.ReservedFor) == 0 {
				return nil
			}
			return field.ErrorList{field.Forbidden(statusPath.Child("deallocationRequested"),
				"deallocation cannot be requested while `reservedFor` is set")}
		},
	},
	{
		// The error is about the whole status, because the change of either field can be the wrong one.
		Name: "deallocation-needs-allocation",
		Reason: "Only an allocated claim can be deallocated. The request for deallocation is removed together with " +
			"the allocation.",
		Source:     "Kubernetes 1.26 CT22, 1.30 CT22, 1.31 DT9",
		Since:      release1_26,
		Until:      release1_31,
		operations: onStatus,
		check: func(in *input) field.ErrorList {
			if !in.new.isDeallocationRequested() || in.new.isAllocated {
				return nil
			}
			return field.ErrorList{field.Forbidden(statusPath,
				"`allocation` must be set when `deallocationRequested` is set")}
		},
	},
	{
		Name: "deallocation-request-stays",
		Reason: "A request for deallocation cannot be withdrawn, because the driver may have started to " +
			"deallocate. The request ends when the allocation is removed.",
		Source:       "Kubernetes 1.26 CT23, 1.30 CT23, 1.31 DT9",
		Since:        release1_26,
		Until:        release1_31,
		operations:   onStatus,
		isTransition: true,
		check: func(in *input) field.ErrorList {
			if !in.old.isDeallocationRequested() || in.new.isDeallocationRequested() || !in.new.isAllocated {
				return nil
			}
			return field.ErrorList{field.Forbidden(statusPath.Child("deallocationRequested"),
				"may not be cleared when `allocation` is set")}
		},
	},
}

func (c *claim) isDeallocationRequested() bool { return c.status.ClaimbridgeDeallocationRequested }
