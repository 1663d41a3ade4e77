// Package integrations runs claimbridge with kustomize, as a post-renderer of two releases of Helm, as a hook of
// pre-commit and as an action of GitHub. The releases of these programs are pinned.
package integrations
