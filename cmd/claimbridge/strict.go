package main

import (
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion"
)

// decodesStrictly checks an object that has the wanted version already: conversion returns it without a look.
func decodesStrictly(raw []byte, h conversion.Header) error {
	into := typeOf(h)
	if into == nil {
		return nil // conversion says what is wrong
	}
	unknown, err := conversion.Decode(raw, into)
	if err != nil {
		return err
	}
	if len(unknown) > 0 {
		return &conversion.UnknownFieldError{Fields: unknown}
	}
	return nil
}

func typeOf(h conversion.Header) any {
	claim := h.Kind == kindClaim
	switch {
	case h.Version == "v1alpha1" && claim:
		return &v1alpha1.ResourceClaim{}
	case h.Version == "v1alpha1":
		return &v1alpha1.ResourceClaimTemplate{}
	case h.Version == "v1alpha2" && claim:
		return &v1alpha2.ResourceClaim{}
	case h.Version == "v1alpha2":
		return &v1alpha2.ResourceClaimTemplate{}
	case h.Version == "v1alpha3" && claim:
		return &v1alpha3.ResourceClaim{}
	case h.Version == "v1alpha3":
		return &v1alpha3.ResourceClaimTemplate{}
	}
	return nil
}
