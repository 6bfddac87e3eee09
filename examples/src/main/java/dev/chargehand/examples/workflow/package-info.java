/** A workflow as an example. */
@NullMarked
package dev.chargehand.examples.workflow;

import org.jspecify.annotations.NullMarked;
