package answer

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/protocol/message"
)

// WriteHTTP answers an HTTP request as JSON, which drivers parse whatever they asked for.
func (f Failure) WriteHTTP(w http.ResponseWriter, id uuid.UUID) {
	if f.Code == message.StatusTooManyRequests || f.Code == message.StatusTemporary {
		w.Header().Set("Retry-After", "1")
	}
	body := map[string]any{"message": f.text, "requestId": id.String(), "code": f.Code}
	for _, a := range f.attrs {
		if a.Key != "exceptions" {
			continue
		}
		names := make([]string, 0, 2)
		for _, v := range a.Value.Elems() {
			names = append(names, v.Str())
		}
		body["exceptions"], body["Exception-Class"] = names, names[0]
	}
	WriteJSON(w, httpStatus(f), body)
}

// httpStatus maps a Gremlin status to HTTP's.
func httpStatus(f Failure) int {
	switch f.Code {
	case message.StatusMalformedRequest, message.StatusInvalidArguments:
		return http.StatusBadRequest
	case message.StatusUnauthorized:
		return http.StatusUnauthorized
	case message.StatusTooManyRequests:
		return http.StatusTooManyRequests
	case message.StatusTimeout:
		return http.StatusGatewayTimeout
	case message.StatusTemporary:
		if f.text == ShuttingDown {
			return http.StatusServiceUnavailable
		}
		return http.StatusConflict
	}
	if f.Code >= 400 && f.Code < 498 {
		return int(f.Code)
	}
	return http.StatusInternalServerError
}

// httpFailure answers an HTTP request that was refused before its body was read.
func RefuseHTTP(w http.ResponseWriter, r *http.Request, status int, text string) {
	WriteJSON(w, status, map[string]any{"message": text, "requestId": UnreadID(w, r).String()})
}

// WriteJSON answers an HTTP request with a value.
func WriteJSON(w http.ResponseWriter, status int, body any) {
	b, err := json.Marshal(body)
	if err != nil {
		b = []byte(`{"message":"internal error"}`)
	}
	w.Header().Set("Content-Type", message.MimeJSON)
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(b)
}
