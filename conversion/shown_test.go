package conversion

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	v1alpha3step "github.com/claimbridge/claimbridge/conversion/internal/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/names"
)

// whatBothCanSayIsShown reads both sides by the tables of the design, in code of its own: what both can say natively
// is equal, leftover or not.
func whatBothCanSayIsShown(c *lawCase) { shown(c, c.object, c.there) }

func shown(c *lawCase, a, b []byte) {
	c.Helper()
	if c.kind != api.KindClaim {
		return
	}
	one, two := factsOf(c, a), factsOf(c, b)
	for _, topic := range []string{"reservedFor", "deallocationRequested", "nodes", "data", "devices", "drivers", "class"} {
		if one.cannot[topic] || two.cannot[topic] {
			continue
		}
		if topic == "data" && (one.one || two.one) { // of several handles v1alpha1 shows one
			for _, say := range one.say[topic] {
				if one.one && !slices.Contains(two.say[topic], say) {
					c.Errorf("%.600q is not among %.600q", say, two.say[topic])
				}
			}
			for _, say := range two.say[topic] {
				if two.one && !slices.Contains(one.say[topic], say) {
					c.Errorf("%.600q is not among %.600q", say, one.say[topic])
				}
			}
			continue
		}
		if !slices.Equal(one.say[topic], two.say[topic]) {
			c.Errorf("%s differ: %.600q, %.600q", topic, one.say[topic], two.say[topic])
		}
	}
}

// facts are what a claim says that every version can say, or that this one cannot.
type facts struct {
	say    map[string][]string
	cannot map[string]bool
	one    bool // at most one handle
}

func factsOf(c *lawCase, object []byte) facts {
	f := facts{say: map[string][]string{}, cannot: map[string]bool{}}
	switch o := c.typed(object).(type) {
	case *v1alpha1.ResourceClaim:
		f.classic(string(encode(o.Status.ReservedFor)), o.Status.DeallocationRequested, o.Spec.ResourceClassName)
		f.cannot["devices"], f.cannot["drivers"] = true, true
		if a := o.Status.Allocation; a != nil {
			f.say["nodes"] = []string{string(encode(a.AvailableOnNodes))}
			f.one = true
			f.cannot["data"] = a.ResourceHandle == "" || o.Status.DriverName == names.Domain
			f.say["data"] = []string{o.Status.DriverName + "=" + a.ResourceHandle}
		}
	case *v1alpha2.ResourceClaim:
		f.classic(string(encode(o.Status.ReservedFor)), o.Status.DeallocationRequested, o.Spec.ResourceClassName)
		if a := o.Status.Allocation; a != nil {
			f.say["nodes"] = []string{string(encode(a.AvailableOnNodes))}
			f.handles(a.ResourceHandles, o.Status.DriverName)
		}
	default:
		var claim withDevices
		if err := json.Unmarshal(object, &claim); err != nil {
			c.Fatal(err)
		}
		f.later(claim)
	}
	return f
}

// withDevices is what is read of a claim of v1alpha3 and later versions.
type withDevices struct {
	Spec struct {
		Devices struct {
			Requests []struct {
				DeviceClassName string
				Exactly         struct{ DeviceClassName string }
				FirstAvailable  []struct{ DeviceClassName string }
			}
		}
	}
	Status struct {
		Allocation *struct {
			Devices      v1alpha3.DeviceAllocationResult
			NodeSelector *corev1.NodeSelector
		}
		ReservedFor                                             []v1.ResourceClaimConsumerReference
		DeallocationRequested, ClaimbridgeDeallocationRequested bool
	}
}

func (f facts) later(claim withDevices) {
	var class []string
	for _, r := range claim.Spec.Devices.Requests[:min(1, len(claim.Spec.Devices.Requests))] {
		class = []string{cmp.Or(r.DeviceClassName, r.Exactly.DeviceClassName)}
		if len(r.FirstAvailable) > 0 {
			class = []string{cmp.Or(class[0], r.FirstAvailable[0].DeviceClassName)}
		}
	}
	status := claim.Status
	f.classic(string(encode(status.ReservedFor)), status.DeallocationRequested || status.ClaimbridgeDeallocationRequested, "")
	f.say["class"], f.cannot["class"] = class, len(class) == 0
	a := status.Allocation
	if a == nil {
		return
	}
	f.say["nodes"] = []string{string(encode(a.NodeSelector))}
	f.results(a.Devices)
	for _, entry := range a.Devices.Config { // a handle may be in parts
		if v1alpha3step.EntryKind(entry.Opaque) == "Part" {
			f.cannot["data"] = true
		}
	}
	if len(class) == 0 { // no results are possible
		f.cannot["devices"], f.cannot["drivers"], f.cannot["data"] = true, true, true
	}
}

func (f facts) classic(reservedFor string, deallocationRequested bool, class string) {
	f.say["reservedFor"] = []string{reservedFor}
	f.say["deallocationRequested"] = []string{fmt.Sprint(deallocationRequested)}
	f.say["class"] = []string{class}
}

// handles of v1alpha2. Drivers named claimbridge.dev have no results; beyond 32 results there are none.
func (f facts) handles(handles []v1alpha2.ResourceHandle, driver string) {
	results := 0
	drivers := map[string]bool{}
	for _, h := range handles {
		switch {
		case h.StructuredData != nil:
			for _, r := range h.StructuredData.Results {
				results++
				if h.DriverName == names.Domain {
					continue
				}
				drivers[h.DriverName] = true
				f.say["devices"] = append(f.say["devices"], h.DriverName+"/"+r.NamedResources.Name)
				if r.NamedResources.Name == "none" { // it may be the only result, which reads as no device
					f.cannot["devices"] = true
				}
				if !names.IsLabel(r.NamedResources.Name) || strings.HasPrefix(r.NamedResources.Name, "handle-") {
					f.cannot["devices"] = true
				}
			}
		default:
			results++
			if h.DriverName == names.Domain {
				continue
			}
			drivers[h.DriverName] = true
			if h.Data != "" {
				f.say["data"] = append(f.say["data"], h.DriverName+"="+h.Data)
			}
		}
	}
	if len(handles) == 0 && driver != names.Domain {
		drivers[driver] = true
	}
	f.say["drivers"] = slices.Sorted(maps.Keys(drivers))
	slices.Sort(f.say["devices"])
	slices.Sort(f.say["data"])
	if results > v1alpha3.AllocationResultsMaxSize {
		f.cannot["devices"], f.cannot["drivers"], f.cannot["data"] = true, true, true
	}
}

// results of v1alpha3. Devices of ours stand for handles.
func (f facts) results(d v1alpha3.DeviceAllocationResult) {
	drivers := map[string]bool{}
	for _, r := range d.Results {
		drivers[r.Driver] = true
		if r.Driver == names.Domain {
			f.cannot["drivers"], f.cannot["devices"] = true, true
		}
		if r.Pool == names.Domain && (r.Device == "none" && len(d.Results) == 1 || v1alpha3step.IsHandleDevice(r.Device)) {
			continue
		}
		f.say["devices"] = append(f.say["devices"], r.Driver+"/"+r.Device)
	}
	for _, entry := range d.Config {
		if h := v1alpha3step.AsResourceHandle(&entry); h != nil {
			f.say["data"] = append(f.say["data"], h.Driver+"="+h.Data)
		}
	}
	if len(d.Results) == 0 {
		f.cannot["drivers"] = true
	}
	f.say["drivers"] = slices.Sorted(maps.Keys(drivers))
	slices.Sort(f.say["devices"])
	slices.Sort(f.say["data"])
}
