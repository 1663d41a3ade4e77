// Package integrations runs claimbridge where people run it: as a function of kustomize, a
// post-renderer of two releases of Helm, a hook of pre-commit and an action of GitHub. What renders
// is the pinned release of each.
package integrations
