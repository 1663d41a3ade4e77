package validation

var controllerIsDriverName = Rule{
	Name:   "controller-is-driver-name",
	Reason: "The controller in the control plane that a claim wants, when set, is named like a driver.",
	Source: "Kubernetes 1.31 DS35",
	asked:  onSpec,
	check: func(w *write, refuse refuser) {
		if name := w.new.controller; name != "" {
			w.checkDriverName(name, placeOf(w.specPath).child("controller"), refuse)
		}
	},
}

var allocationControllerIsDriverName = Rule{
	Name:   "allocation-controller-is-driver-name",
	Reason: "The controller in the control plane that made an allocation, when set, is named like a driver.",
	Source: "Kubernetes 1.31 DT23",
	asked:  onStatus,
	check: func(w *write, refuse refuser) {
		if name := w.new.allocationController; name != "" {
			w.checkDriverName(name, placeOf(allocationPath).child("controller"), refuse)
		}
	},
}
