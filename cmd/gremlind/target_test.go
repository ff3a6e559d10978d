package main

import (
	"errors"
	"strings"
	"testing"
)

// TestTargetOptions_TLS: files that hold no certificate are refused.
func TestTargetOptions_TLS(t *testing.T) {
	cert, key := certificate(t)
	none := writeFile(t, "none.pem", "nothing")
	for _, c := range []struct {
		o    targetOptions
		want string
	}{
		{targetOptions{}, ""}, {targetOptions{ca: cert}, ""}, {targetOptions{cert: cert, key: key}, ""},
		{targetOptions{ca: none}, "--ca: "}, {targetOptions{ca: none + "x"}, "no such file"},
		{targetOptions{cert: cert}, "--cert and --key go together"}, {targetOptions{key: key}, "--cert and --key go together"},
		{targetOptions{cert: none, key: key}, "--cert and --key: "}, {targetOptions{cert: cert, key: none}, "--cert and --key: "},
	} {
		conf, err := c.o.tls()
		switch {
		case c.want == "":
			if err != nil || (len(conf.Certificates) == 1) != (c.o.cert != "") || (conf.RootCAs != nil) != (c.o.ca != "") {
				t.Errorf("%+v: %+v, %v", c.o, conf, err)
			}
		case !errors.As(err, new(usageError)) || !strings.Contains(err.Error(), c.want):
			t.Errorf("%+v: %v, want %s", c.o, err, c.want)
		}
	}
}

// TestQueryOptions_Text: two queries are one too many, and both are named in their order.
func TestQueryOptions_Text(t *testing.T) {
	var o queryOptions
	_, _, err := o.text([]string{"g.V()", "g.E()"}, strings.NewReader(""))
	if !errors.As(err, new(usageError)) || !strings.Contains(err.Error(), `"g.V()" and "g.E()"`) {
		t.Error(err)
	}
}
