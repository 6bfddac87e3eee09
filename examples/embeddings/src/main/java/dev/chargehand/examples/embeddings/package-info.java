/** Recall with an embedding model that runs in this process. */
@NullMarked
package dev.chargehand.examples.embeddings;

import org.jspecify.annotations.NullMarked;
