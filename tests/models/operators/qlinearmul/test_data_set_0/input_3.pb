Binput_3Jb
t?