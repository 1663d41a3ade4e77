package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"time"
)

// authority stands for the CA of a user: it only has to be one, as none of it gets into a chart.
var authority = newAuthority()

type bundle struct {
	pem    []byte
	base64 string
}

func newAuthority() bundle {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err) // which crypto/rand does itself where there is no randomness
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err) // a template of ours
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return bundle{pem: text, base64: base64.StdEncoding.EncodeToString(text)}
}
