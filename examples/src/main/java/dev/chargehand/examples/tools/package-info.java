/** Tools of objects, and tools with side effects. */
@NullMarked
package dev.chargehand.examples.tools;

import org.jspecify.annotations.NullMarked;
