package transcode

import (
	"context"
	"net/http"
	"slices"

	"k8s.io/apiserver/pkg/endpoints/deprecation"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/warning"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/served"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/store"
	"github.com/claimbridge/claimbridge/conversion/lens"
)

// Store is the cluster's v1. Errors are those of the API, to be answered as they are.
type Store interface {
	// AsCaller sends a request in the name of the user of ctx.
	AsCaller(ctx context.Context, r store.Request) (*http.Response, error)
	// Live reads the main resource of a request with the right of this server; cached, as an API server has it in memory, which may be older.
	Live(ctx context.Context, r store.Request, cached bool) (*http.Response, error)
}

// Options of a handler.
type Options struct {
	// Versions that are served; all there are when empty.
	Versions []string
	// Observe is called with each request that is answered here, before the store is asked; the request goes on with the context that it
	// gives, and the function that it gives is called once, when all is over. nil: nobody is told.
	Observe func(context.Context, Asked) (context.Context, func(Outcome))
	// Memory for big objects; nil: there is no bound.
	Memory Memory
}

// Asked is what a request is for. Every field is one of few values.
type Asked struct {
	Version, Resource, Subresource string
	Verb                           string // as in rules of RBAC
}

// Outcome of a request.
type Outcome struct {
	// Code of the answer; 0 when the connection was broken off.
	Code int
	// Tries of a write that is put into the stored object: 1 unless other writers were faster. 0: the request went to the store as it is.
	Tries int
	// Items of a list, events of a watch.
	Items int
}

type handler struct {
	store  Store
	judge  Judge
	next   http.Handler
	routes map[key]resource
	Options
}

// key of a resource, as paths have it.
type key struct{ version, resource string }

// resource that is served.
type resource struct {
	served.Kind
	lens *lens.Lens
	// deprecated is the warning that every request for it gets; "" for none.
	deprecated string
}

// New handler. The next one gets what is no request for a resource of the versions, and what no API server has a route for.
func New(s Store, judge Judge, next http.Handler, o Options) http.Handler {
	boundCopies()
	h := &handler{store: s, judge: judge, next: next, routes: map[key]resource{}, Options: o}
	for _, version := range served.Versions() {
		if len(o.Versions) > 0 && !slices.Contains(o.Versions, version) {
			continue
		}
		for _, kind := range served.Kinds(version) {
			l, err := lens.New(version, kind.Kind)
			if err != nil {
				panic(err) // two tables of ours that do not agree; a test compares them
			}
			h.routes[key{version, kind.Resource}] = resource{kind, l, deprecated(kind)}
		}
	}
	return h
}

// deprecated is the warning of an API server that serves the kind itself. Alpha versions are gone since their time, and get the like.
func deprecated(kind served.Kind) string {
	object := kind.New()
	object.GetObjectKind().SetGroupVersionKind(kind.GroupVersionKind())
	if text := deprecation.WarningMessage(object); text != "" {
		return text
	}
	gone := ""
	if v, known := api.Find(kind.Version); known {
		gone = v.Gone
	}
	gvk := kind.GroupVersionKind()
	return gvk.GroupVersion().String() + " " + gvk.Kind + " is deprecated in v" + gone + "+, unavailable in v" + gone + "+; use " +
		api.Group + "/" + served.Stored + " " + gvk.Kind
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, answer := h.route(w, r)
	if answer == nil {
		h.next.ServeHTTP(w, r)
		return
	}
	if h.Observe != nil {
		ctx, over := h.Observe(r.Context(), Asked{c.Version, c.Resource, c.info.Subresource, c.info.Verb})
		c.r, c.over = r.WithContext(ctx), func() { over(c.outcome) }
		defer func() { c.over() }()
	}
	defer c.giveBack()
	if r.Method == http.MethodPatch {
		if _, err := c.patchType(); err != nil {
			c.fail(err)
			return
		}
	}
	warning.AddWarning(c.r.Context(), "", c.deprecated)
	if err := c.negotiate(); err != nil {
		c.fail(err)
		return
	}
	if err := answer(c); err != nil {
		c.fail(err)
	}
}

// route of a request; no function where no API server has one.
func (h *handler) route(w http.ResponseWriter, r *http.Request) (*call, func(*call) error) {
	info, ok := request.RequestInfoFrom(r.Context())
	if !ok || !info.IsResourceRequest || info.APIGroup != api.Group {
		return nil, nil
	}
	res, ours := h.routes[key{info.APIVersion, info.Resource}]
	if !ours {
		return nil, nil
	}
	c := &call{handler: h, resource: res, w: w, r: r, info: info, over: func() {}}
	named := len(info.Parts) > 1
	inScope := res.Namespaced == (info.Namespace != "")
	switch {
	case info.Verb == "watch":
		if r.Method == http.MethodGet && info.Subresource == "" && (inScope || !named && info.Namespace == "") {
			return c, (*call).watch
		}
	case !named:
		if inScope || r.Method == http.MethodGet && info.Namespace == "" { // of all namespaces
			return c, collection[r.Method]
		}
	case !inScope:
	case len(info.Parts) == 2:
		c.name = info.Name
		return c, item[r.Method]
	case len(info.Parts) == 3 && info.Subresource == "status" && res.Status:
		c.name = info.Name
		return c, status[r.Method]
	}
	return nil, nil
}

// Methods by path.
var (
	collection = map[string]func(*call) error{
		http.MethodGet: (*call).list, http.MethodPost: (*call).create, http.MethodDelete: (*call).deleteCollection,
	}
	item = map[string]func(*call) error{
		http.MethodGet: (*call).get, http.MethodPut: (*call).update, http.MethodPatch: (*call).patch, http.MethodDelete: (*call).delete,
	}
	status = map[string]func(*call) error{
		http.MethodGet: (*call).get, http.MethodPut: (*call).update, http.MethodPatch: (*call).patch,
	}
)
