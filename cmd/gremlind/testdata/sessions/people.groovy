// who knows whom
g.V().hasLabel("person")
  .outE("knows").inV()
  .path()

:help tail
