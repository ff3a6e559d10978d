package protocol

import "strings"

// exceptions are Java classes by parts of the texts of errors. Most errors of steps are
// plain texts, as TinkerPop's tests compare them; a few clients look at the class too.
var exceptions = []struct{ part, class string }{
	{"cannot be cast to", "java.lang.ClassCastException"},
	{"Could not locate exact method", classIllegalArgument},
	{"Not a legal range", classIllegalArgument},
	{"already exists", classIllegalArgument},
	{"convertible to class", classIllegalArgument},
	{"can only take", classIllegalArgument},
	{" as OffsetDateTime", classIllegalArgument},
	{" as number", "java.lang.NumberFormatException"},
	{"in the regular expression", "java.util.regex.PatternSyntaxException"},
	{"cannot be used to start a traversal", "java.lang.UnsupportedOperationException"},
}

const classIllegalArgument = "java.lang.IllegalArgumentException"

// exceptionByText recognises what is known by its text.
func exceptionByText(text string) string {
	for _, x := range exceptions {
		if strings.Contains(text, x.part) {
			return x.class
		}
	}
	return classIllegalState
}
