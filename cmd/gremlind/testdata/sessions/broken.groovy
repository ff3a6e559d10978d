g.V().count()
g.V().outt()
g.E().count()
