Binput_3J
ף<