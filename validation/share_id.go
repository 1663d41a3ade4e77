package validation

import (
	"context"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validate"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

var shareIDIsUUID = Rule{
	Name:   "share-id-is-uuid",
	Reason: "A share of a device, allocated or reported of, is named by a UUID in lower case.",
	Source: "Kubernetes 1.34+ DT18",
	asked:  onStatus,
	check: func(w *write, refuse refuser) {
		check := func(id *string, at place) {
			if id != nil && !isUUID(*id) {
				refuse(invalidName(at.path().Child("shareID"), *id,
					"must be a UUID of 36 characters in lower case, xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"))
			}
		}
		results.each(w, func(_ *write, r *v1.DeviceRequestAllocationResult, at place, _ refuser) {
			check((*string)(r.ShareID), at)
		}, refuse)
		reports.each(w, func(_ *write, d *v1.AllocatedDeviceStatus, at place, _ refuser) {
			check(d.ShareID, at)
		}, refuse)
	},
}

// isUUID in the form of RFC 4122, hexadecimal digits in lower case. Of the check of the API
// machinery only the answer counts, since its error shows the text, however long.
func isUUID(text string) bool {
	return len(validate.UUID(context.Background(), operation.Operation{}, nil, &text, nil)) == 0
}
