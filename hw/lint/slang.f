// What slang looks at, beyond its errors: everything. Waivers: rule, and why.
-Wextra

// House style: a unique case has a default too.
-Wno-case-redundant-default

// House style: casts say a width even where it is the same.
-Wno-useless-cast
