package validation

import (
	"context"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var shareIDIsUUID = Rule{
	Name:   "share-id-is-uuid",
	Reason: "A share of a device, allocated or reported of, is named by a UUID in lower case.",
	Source: "Kubernetes 1.34+ DT18",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for i, result := range w.results() {
			if result.ShareID != nil && !isUUID(string(*result.ShareID)) {
				refuse(invalidName(resultField(i, "shareID")(), string(*result.ShareID), notUUID))
			}
		}
		for i, device := range w.new.devices {
			if device.ShareID != nil && !isUUID(*device.ShareID) {
				refuse(invalidName(deviceField(i, "shareID")(), *device.ShareID, notUUID))
			}
		}
	},
}

const notUUID = "must be a UUID of 36 characters in lower case, xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"

// deviceField is the path of a field of what is reported of a device.
func deviceField(i int, name string) func() *field.Path {
	return func() *field.Path { return devicesPath.Index(i).Child(name) }
}

// isUUID in the form of RFC 4122, hexadecimal digits in lower case. Of the check of the API machinery only the answer counts, since its
// error shows the text, however long.
func isUUID(text string) bool {
	return len(validate.UUID(context.Background(), operation.Operation{}, nil, &text, nil)) == 0
}
