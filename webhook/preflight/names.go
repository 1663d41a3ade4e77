package preflight

import "github.com/claimbridge/claimbridge/api"

const (
	// name of the Service, the Deployment, the webhook configurations and the roles of the server.
	name = "claimbridge"
	// ourCategory is in the definitions that come with claimbridge, and in no others.
	ourCategory = "claimbridge"

	// Secrets that the manifests have.
	servingSecret   = "claimbridge-tls"
	authoritySecret = "claimbridge-ca"

	claims    = api.ResourceClaims
	templates = api.ResourceTemplates

	httpsPort = 443
)

// versions of claims, oldest first.
var versions = api.Names()

var newest = api.Stored().Name
