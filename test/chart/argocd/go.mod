// Nothing imports Argo CD: only the definition of its Application is read, from the files of the release.
module github.com/claimbridge/claimbridge/test/chart/argocd

go 1.26.3

require github.com/argoproj/argo-cd/v3 v3.5.7
