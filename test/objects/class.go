package objects

import (
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Class returns a random DeviceClass of v1, as Kubernetes stores it.
func (s Source) Class() *resourcev1.DeviceClass {
	class := &resourcev1.DeviceClass{
		TypeMeta: metav1.TypeMeta{APIVersion: Group + "/v1", Kind: "DeviceClass"}, ObjectMeta: s.objectMeta(),
	}
	class.Namespace = ""
	for range s.IntN(3) {
		class.Spec.Selectors = append(class.Spec.Selectors, resourcev1.DeviceSelector{
			CEL: &resourcev1.CELDeviceSelector{Expression: `device.driver == "` + s.driver() + `"`},
		})
	}
	for range s.IntN(3) {
		class.Spec.Config = append(class.Spec.Config,
			resourcev1.DeviceClassConfiguration{DeviceConfiguration: resourcev1.DeviceConfiguration{
				Opaque: &resourcev1.OpaqueDeviceConfiguration{
					Driver:     s.driver(),
					Parameters: runtime.RawExtension{Raw: s.parameters()},
				},
			}})
	}
	if s.oneIn(3) {
		class.Spec.ExtendedResourceName = new("example.com/gpu")
	}
	return class
}
