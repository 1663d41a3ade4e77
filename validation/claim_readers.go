package validation

import (
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

// claimReader reads a claim from pointers to its spec and its status, with the defaults of the release. A pointer is
// nil if the part is absent. The parts do not change.
type claimReader func(spec, status any, release Release) claim

// claimReaders are the readers by version. A write in any other version cannot be validated.
var claimReaders = func() map[string]claimReader {
	all := map[string]claimReader{
		"v1alpha1": typedReader(readV1alpha1),
		"v1alpha2": typedReader(readV1alpha2),
		"v1alpha3": typedReader(readV1alpha3),
		"v1beta1":  typedReader(readV1beta1),
	}
	for _, v := range api.Versions() {
		if v.Exactly && all[v.Name] == nil {
			all[v.Name] = typedReader(readV1)
		}
	}
	return all
}()

// typedReader converts a function with the types of a version. An absent spec or status is empty.
func typedReader[Spec, Status any](read func(*Spec, *Status, Release) claim) claimReader {
	return func(spec, status any, release Release) claim {
		typedSpec, _ := spec.(*Spec)
		if typedSpec == nil {
			typedSpec = new(Spec)
		}
		typedStatus, _ := status.(*Status)
		if typedStatus == nil {
			typedStatus = new(Status)
		}
		return read(typedSpec, typedStatus, release)
	}
}

func readV1alpha1(spec *v1alpha1.ResourceClaimSpec, status *v1alpha1.ResourceClaimStatus, _ Release) claim {
	c := readClassic(*spec, status.DriverName, status.ReservedFor, status.DeallocationRequested)
	if a := status.Allocation; a != nil {
		c.setClassicAllocation(a, a.AvailableOnNodes, a.Shareable)
		c.classic.handle = a.ResourceHandle
	}
	return c
}

func readV1alpha2(spec *v1alpha2.ResourceClaimSpec, status *v1alpha2.ResourceClaimStatus, _ Release) claim {
	c := readClassic(*spec, status.DriverName, status.ReservedFor, status.DeallocationRequested)
	if a := status.Allocation; a != nil {
		c.setClassicAllocation(a, a.AvailableOnNodes, a.Shareable)
		c.classic.handles = a.ResourceHandles
	}
	return c
}

func readClassic(
	spec v1alpha2.ResourceClaimSpec, driverName string, reservedFor []consumer, deallocationRequested bool,
) claim {
	v1alpha2.SetSpecDefaults(&spec)
	return claim{
		classic: &classicClaim{spec: spec, driverName: driverName},
		status: v1.ResourceClaimStatus{
			ReservedFor:                      reservedFor,
			ClaimbridgeDeallocationRequested: deallocationRequested,
		},
	}
}

func (c *claim) setClassicAllocation(allocation any, nodes *corev1.NodeSelector, isShareable bool) {
	c.isAllocated, c.nodeSelector = true, nodes
	c.classic.allocation, c.classic.isShareable = allocation, isShareable
}

func readV1(spec *v1.ResourceClaimSpec, status *v1.ResourceClaimStatus, _ Release) claim {
	if slices.ContainsFunc(spec.Devices.Requests, v1.LacksDefaults) {
		spec = spec.DeepCopy()
		v1.SetSpecDefaults(spec)
	}
	return readWithDevices(spec, status)
}

func readV1beta1(spec *v1beta1.ResourceClaimSpec, status *v1.ResourceClaimStatus, release Release) claim {
	return readWithDevices(&v1.ResourceClaimSpec{Devices: v1.DeviceClaim{
		Requests:    withExactly(spec.Devices.Requests, release),
		Constraints: spec.Devices.Constraints,
		Config:      spec.Devices.Config,
	}}, status)
}

func readV1alpha3(spec *v1alpha3.ResourceClaimSpec, status *v1alpha3.ResourceClaimStatus, release Release) claim {
	devices := v1.DeviceClaim{
		Requests:    withExactly(convertAll(spec.Devices.Requests, v1alpha3.DeviceRequest.ToV1beta1), release),
		Constraints: convertAll(spec.Devices.Constraints, v1alpha3.DeviceConstraint.ToV1),
		Config:      spec.Devices.Config,
	}
	c := readWithDevices(&v1.ResourceClaimSpec{Devices: devices}, v1alpha3StatusInV1(status))
	if !release.hasControllers() {
		c.status.ClaimbridgeDeallocationRequested = false
		return c
	}
	c.controller = spec.Controller
	if status.Allocation != nil {
		c.allocationController = status.Allocation.Controller
	}
	return c
}

func v1alpha3StatusInV1(status *v1alpha3.ResourceClaimStatus) *v1.ResourceClaimStatus {
	s := &v1.ResourceClaimStatus{
		ReservedFor: status.ReservedFor, ClaimbridgeDeallocationRequested: status.DeallocationRequested,
		Devices: convertAll(status.Devices, v1alpha3.AllocatedDeviceStatus.ToV1),
	}
	if a := status.Allocation; a != nil {
		s.Allocation = &v1.AllocationResult{NodeSelector: a.NodeSelector, Devices: v1.DeviceAllocationResult{
			Results: convertAll(a.Devices.Results, v1alpha3.DeviceRequestAllocationResult.ToV1),
			Config:  a.Devices.Config,
		}}
	}
	return s
}

// readWithDevices reads a spec with its defaults, and a status that may lack some.
func readWithDevices(spec *v1.ResourceClaimSpec, status *v1.ResourceClaimStatus) claim {
	c := claim{spec: spec, status: *status}
	if status.Allocation == nil {
		return c
	}
	c.isAllocated = true
	if slices.ContainsFunc(status.Allocation.Devices.Results, func(r v1.DeviceRequestAllocationResult) bool {
		return v1.AnyLacksOperator(r.Tolerations)
	}) {
		completed := &v1.ResourceClaimStatus{Allocation: status.Allocation.DeepCopy()}
		v1.SetStatusDefaults(completed)
		c.status.Allocation = completed.Allocation
	}
	c.nodeSelector = c.status.Allocation.NodeSelector
	return c
}

// withExactly returns requests of a version without exactly in the types of v1, with the defaults of a release.
func withExactly(flat []v1beta1.DeviceRequest, release Release) []v1.DeviceRequest {
	if flat == nil {
		return nil
	}
	requests, exactly := make([]v1.DeviceRequest, len(flat)), make([]v1.ExactDeviceRequest, len(flat))
	for i := range flat {
		r := &flat[i]
		hasAlternatives := len(r.FirstAvailable) > 0
		requests[i] = v1.DeviceRequest{Name: r.Name, FirstAvailable: r.FirstAvailable}
		exactly[i] = r.Exactly()
		if isExact(&exactly[i], hasAlternatives, release) {
			requests[i].Exactly = &exactly[i]
			if e := &exactly[i]; release.hasBooleanAdminAccess() && e.AdminAccess != nil && !*e.AdminAccess {
				e.AdminAccess = nil
			}
			if r.DeviceClassName != "" || release.alwaysSetsDefaults(hasAlternatives) {
				v1.SetModeDefaults(&exactly[i].AllocationMode, &exactly[i].Count)
			}
		}
		if v1.LacksDefaults(requests[i]) {
			requests[i] = *requests[i].DeepCopy()
			v1.SetSubRequestDefaults(requests[i].FirstAvailable)
			if e := requests[i].Exactly; e != nil {
				v1.SetTolerationDefaults(e.Tolerations)
			}
		}
	}
	return requests
}

// isExact reports whether a request has fields that v1 has in `exactly`. Fields that the release does not know are
// ignored. A release that always sets defaults for the request reads it as one that has such fields.
func isExact(e *v1.ExactDeviceRequest, hasAlternatives bool, release Release) bool {
	if release.alwaysSetsDefaults(hasAlternatives) {
		return true
	}
	exactly := reflect.ValueOf(e).Elem()
	for i, f := range rowsInExactly {
		isUnknown := f != nil && f.isUnknownTo(release)
		if !isUnknown && !exactly.Field(i).IsZero() {
			return true
		}
	}
	return false
}

// rowsInExactly has, for each field of [v1.ExactDeviceRequest], its row in the table of fields, or nil.
var rowsInExactly = func() (rows []*fieldRow) {
	for _, field := range api.RequestFields() {
		if field.InExactly {
			rows = append(rows, rowsByPath["spec.devices.requests."+field.Name])
		}
	}
	return rows
}()

func convertAll[From, To any](list []From, convert func(From) To) []To {
	if list == nil {
		return nil
	}
	converted := make([]To, len(list))
	for i, item := range list {
		converted[i] = convert(item)
	}
	return converted
}
