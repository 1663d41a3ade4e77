// Package chain walks a claim from one version to another one, step by step. Versions stand in a line, and a step joins two
// neighbours; there is no hub. What a step is made of is in packages of their own, one for each version but the first.
package chain
