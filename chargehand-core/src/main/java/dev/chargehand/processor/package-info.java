/** Processors: guardrails around what goes into a model and what comes out of it. */
@NullMarked
package dev.chargehand.processor;

import org.jspecify.annotations.NullMarked;
