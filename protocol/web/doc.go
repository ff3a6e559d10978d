// Package web answers Gremlin requests over plain HTTP: one request, one response.
package web
