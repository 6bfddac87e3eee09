/** The language model as Chargehand sees it: one blocking call that reports its deltas as they come. */
@NullMarked
package dev.chargehand.model;

import org.jspecify.annotations.NullMarked;
