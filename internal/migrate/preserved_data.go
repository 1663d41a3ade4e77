package migrate

import (
	"bytes"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// A converted claim may have preserved data where no driver looks for it. In a stream to a cluster, that data is for
// the reverse conversion. In a repository it is inert configuration, which is an error unless it is accepted.

// dataIgnoredByDrivers returns the data that drivers or controllers read in the claim's own version, but that none of
// them reads in the converted claim.
func (c *Converter) dataIgnoredByDrivers(o *claimConversion) conversion.IgnoredByDrivers {
	if o.hasTarget || !api.HasDevices(c.version) {
		return conversion.IgnoredByDrivers{}
	}
	hadDevices := api.HasDevices(o.report.Version)
	found := conversion.FindIgnoredByDrivers(o.converted)
	return conversion.IgnoredByDrivers{
		Parameters: found.Parameters && !hadDevices,
		Handle:     found.Handle && !hadDevices,
		Controller: found.Controller && !api.IsLossless(o.report.Version),
		// In older versions, the finding about the handle includes it.
		Allocator: found.Allocator && o.report.Version == "v1alpha3",
	}
}

// hadParametersIgnoredByDrivers reports whether a claim in a file already had parameters that no driver reads.
func (c *Converter) hadParametersIgnoredByDrivers(o *claimConversion) bool {
	hasDevices := api.HasDevices(o.report.Version) && api.HasDevices(c.version)
	if !c.InPlace || !hasDevices || !bytes.Contains(o.raw, []byte("claimbridge.dev")) {
		return false
	}
	return conversion.FindIgnoredByDrivers(objectjson.Canonical(o.raw)).Parameters
}

// fieldOf returns a field of a claim, or of the claims that a template creates.
func fieldOf(h conversion.Header, field string) string {
	if h.Kind == api.KindTemplate && strings.HasPrefix(field, "spec.") {
		return "spec." + field
	}
	return field
}

const writeParameters = "move the settings of the parameters (count, selectors, driver configuration) to "

// preservedDataErrors returns errors about data of a claim in a file that is preserved where no driver looks for it, or
// that is lost.
func (c *Converter) preservedDataErrors(o *claimConversion) (errs []findings.Finding) {
	if o.hasTarget || !c.InPlace || c.AcceptLeftovers {
		return nil
	}
	ignored := c.dataIgnoredByDrivers(o)
	subject := o.asSubject()
	header := subject.Header
	add := func(isPreserved bool, rule findings.Rule, field, what, remedy string) {
		if isPreserved {
			errs = append(errs, subject.New(findings.Error, rule, field,
				what+"; "+remedy+", or set --accept-leftovers to write it"))
		}
	}
	parametersField := fieldOf(header, "spec.parametersRef")
	apiVersion := api.Group + "/" + c.version
	replacement := writeParameters + fieldOf(header, "spec.devices") + ", and set apiVersion " + apiVersion
	entry := c.version + " has no field for it, and no driver reads the claimbridge.dev entry that would preserve it"
	handles := "status.allocation.resourceHandles"
	if o.report.Version == "v1alpha1" {
		handles = "status.allocation.resourceHandle"
	}
	add(ignored.Parameters, findings.ParametersAreNotRead, parametersField, entry, replacement)
	add(ignored.Controller, findings.ControllerIsNotRead, fieldOf(header, "spec.controller"), entry, "remove the field")
	add(ignored.Handle, findings.HandleIsNotRead, handles, entry, "remove the status")
	add(ignored.Allocator, findings.AllocationByController, "status.allocation.controller", entry, "remove the status")
	remedy := "use fields of " + c.version + " instead"
	if !api.HasDevices(c.version) && api.HasDevices(o.report.Version) {
		remedy = c.version + " supports one request, named claim, with only a class: reduce the claim to that"
	}
	for _, preserved := range o.report.Preserved {
		where, what, _ := strings.Cut(preserved, ": ")
		add(true, findings.LeftoverInAnnotation, where,
			c.version+" has no field for it, and no driver reads it there: "+what, remedy)
	}
	for _, field := range o.report.Lost {
		isError := c.rejectsLoss() && !isDeallocation(field)
		loss := "would be dropped: " + c.version + " has no field for it"
		add(isError, findings.FieldLost, field, loss, "remove the field")
	}
	return errs
}

// preservedDataWarnings returns warnings about data that is preserved where no driver looks for it. Data that the file
// already had is included.
func (c *Converter) preservedDataWarnings(o *claimConversion) (all []findings.Finding) {
	ignored := c.dataIgnoredByDrivers(o)
	ignored.Parameters = ignored.Parameters || c.hadParametersIgnoredByDrivers(o)
	if ignored == (conversion.IgnoredByDrivers{}) && len(o.report.Preserved) == 0 {
		return nil
	}
	subject := o.asSubject()
	header := subject.Header
	advise := func(isPreserved bool, rule findings.Rule, field, sentence string) {
		if isPreserved {
			all = append(all, subject.NewSentence(findings.Warning, rule, fieldOf(header, field), sentence))
		}
	}
	advise(ignored.Parameters, findings.ParametersAreNotRead, "spec.parametersRef",
		"parametersRef is preserved in an entry of claimbridge.dev that no driver reads; "+writeParameters+
			fieldOf(header, "spec.devices"))
	advise(ignored.Handle, findings.HandleIsNotRead, "status.allocation",
		"the data of a classic handle is preserved in an entry of claimbridge.dev that drivers ignore; unprepare and "+
			"deallocate the claim before the conversion, or use a driver that reads kind ResourceHandle")
	advise(ignored.Controller, findings.ControllerIsNotRead, "spec.controller",
		fieldOf(header, "spec.controller")+
			" is preserved in an entry of claimbridge.dev that no controller reads; since Kubernetes 1.32 the "+
			"scheduler allocates by itself, from the ResourceSlices of a driver that publishes them")
	advise(ignored.Allocator, findings.AllocationByController, "status.allocation.controller",
		"status.allocation.controller is preserved in an entry of claimbridge.dev that no controller reads; let that "+
			"controller deallocate the claim before the upgrade, because no controller deallocates it after the "+
			"upgrade")
	advise(len(o.report.Preserved) > 0, findings.LeftoverInAnnotation, "",
		"data that "+c.version+" has no field for is preserved where no driver reads it: "+
			strings.Join(o.report.Preserved, "; "))
	return all
}
