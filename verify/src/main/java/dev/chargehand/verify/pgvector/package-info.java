/** A harness for stores that keep their vectors in pgvector, on a server that the environment names. */
@NullMarked
package dev.chargehand.verify.pgvector;

import org.jspecify.annotations.NullMarked;
