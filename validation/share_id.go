package validation

import (
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

// isUUID in the form of RFC 4122, hexadecimal digits in lower case.
func isUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i, c := range []byte(text) {
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
				return false
			}
		}
	}
	return true
}
