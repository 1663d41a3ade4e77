// Package manifests tests the manifests of package config against a real API server, as users apply them: with kubectl.
package manifests
