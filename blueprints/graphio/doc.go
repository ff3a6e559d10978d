// Package graphio moves graphs between files and a graph: GraphML, GraphSON 3, Gryo 3
// CSV with the column names of Neptune and others, and JSON of networkx and others. Readers stream into a
// blueprints.RecordSink; writers stream from a blueprints.RecordSource. The wire's
// GraphSON takes its value forms from the sub-package graphson.
package graphio
